/** The command line `havn`: local commands, roles for production, and operators' commands. */
import { readDatabaseUrlFile } from './database-url-file.ts'
import { runCommand } from './run-command.ts'

// The reader of a pipe, such as `head`, may end first: nothing is wrong then. What a command has begun, it ends before.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error
  }
  if (!process.emit('SIGPIPE', 'SIGPIPE')) {
    process.exit()
  }
})
await runCommand(process.argv.slice(2), readDatabaseUrlFile)
