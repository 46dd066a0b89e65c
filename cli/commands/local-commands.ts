/** Declares the commands that run everything on one machine: `havn start`, `havn reset`. */
import type { Command } from 'commander'

export function declareStart(command: Command): void {
  command.action(async () => (await import('./start.ts')).start(process.env))
}

export function declareReset(command: Command): void {
  command.action(async () => (await import('./reset.ts')).reset(process.env))
}
