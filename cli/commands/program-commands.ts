/** Declares the commands of a sandbox on this machine, `havn start` and `havn reset`, and those of production; code is loaded when one runs. */
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'

export function declareStart(command: Command): void {
  command.action(async () => (await import('./start.ts')).start(process.env))
}

export function declareReset(command: Command): void {
  command.action(async () => (await import('./reset.ts')).reset(process.env))
}

/** Declares `havn gateway` or `havn worker`. */
export function declareRole(command: Command): void {
  command.action(() => runRole(command.name()))
}

export function declareMigrate(command: Command): void {
  command
    .option(
      '--wait-seconds <seconds>',
      'how long it waits in total for locks of other sessions; by default 300',
      seconds,
    )
    .addHelpText(
      'after',
      '\nIt runs while gateways and workers of the release before run. A lock that it needs is tried for two seconds at a\n' +
        'time, so that requests do not wait behind it; it prints who blocks it. docs/operating/upgrades.md says what to do.',
    )
    .action(async (options: { waitSeconds?: number }) =>
      (await import('./migrate.ts')).migrateDatabase(process.env, options),
    )
}

export function declareHealth(command: Command): void {
  command.action(async () => (await import('./health.ts')).checkHealth(process.env))
}

function seconds(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value)) {
    throw new InvalidArgumentError('It must be a whole number of seconds; 0 makes it end at the first lock.')
  }
  return number
}

/** The role runs in this process, so that it gets the signals and sets the exit code. */
async function runRole(role: string): Promise<void> {
  const main = fileURLToPath(new URL('../../launcher/roles/main.ts', import.meta.url))
  process.argv.splice(1, process.argv.length - 1, main, role)
  await import(main)
}
