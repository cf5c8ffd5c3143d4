# Clones the project into a folder of this container's own, then runs the given command of Convene there.
set -eu
[ -d /project/.git ] || git clone --quiet "$REPOSITORY" /project
cd /project
exec convene "$@"
