/**
 * The program that a coding agent starts as an MCP server: passes everything between its standard streams and the socket
 * on which Convene waits, named by its only argument.
 */
import { connect } from 'node:net'

const socket = connect(process.argv[2]!)
const end = () => process.exit(0)
socket.on('error', end)
socket.on('close', end)
process.stdout.on('error', end)
process.stdin.on('error', end)
process.stdin.pipe(socket)
socket.pipe(process.stdout)
