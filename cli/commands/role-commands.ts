/** Declares the commands of production: `havn gateway`, `havn worker`, `havn migrate`, `havn health`. */
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'

/** The description of each role. */
const ROLES = {
  gateway: 'serve the API and the user pages; run any number of them',
  worker: 'run due jobs: poll payments, enforce deadlines, resolve unknown outcomes; run any number of them',
}

/** Adds the commands to the program. */
export function addRoleCommands(program: Command): void {
  for (const [role, description] of Object.entries(ROLES)) {
    program
      .command(role)
      .description(description)
      .action(() => runRole(role))
  }
  program
    .command('migrate')
    .description(
      "migrate the database of DATABASE_URL to this release's schema; once per release, before the roles start",
    )
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
  program
    .command('health')
    .description('whether the gateway or worker on this machine is alive, by its exit code: for health checks')
    .action(async () => (await import('./health.ts')).checkHealth(process.env))
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
  const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
  process.argv.splice(1, process.argv.length - 1, main, role)
  await import(main)
}
