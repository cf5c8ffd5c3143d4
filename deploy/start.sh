# Brings the project into a folder of this container's own, then runs the given command of Convene there.
set -eu
folder=${PROJECT_FOLDER:-/project}
if [ -d "$folder/.git" ]; then
  git -C "$folder" pull --quiet --ff-only || echo "start.sh: $REPOSITORY cannot be pulled; going on with the commit that is here" >&2
else
  git clone --quiet "$REPOSITORY" "$folder"
fi
cd "$folder"
exec convene "$@"
