/** The command line `havn`: local commands, roles for production, and operators' commands. */
import { runCommand } from './run-command.ts'

await runCommand(process.argv.slice(2))
