/** Declares the commands that run everything on one machine: `havn start`, `havn reset`. */
import type { Command } from 'commander'

/** Adds the commands to the program. */
export function addLocalCommands(program: Command): void {
  program
    .command('start')
    .description('run everything on this machine: PostgreSQL, gateway, worker and the sandbox bank')
    .action(async () => (await import('./start.ts')).start(process.env))
  program
    .command('reset')
    .description('delete all data of `havn start` on this machine')
    .action(async () => (await import('./reset.ts')).reset(process.env))
}
