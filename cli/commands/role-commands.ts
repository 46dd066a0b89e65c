/** Declares the commands of production: `havn gateway`, `havn worker`, `havn migrate`, `havn health`. */
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'

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
    .action(async () => (await import('./migrate.ts')).migrateDatabase(process.env))
  program
    .command('health')
    .description('whether the gateway or worker on this machine is alive, by its exit code: for health checks')
    .action(async () => (await import('./health.ts')).checkHealth(process.env))
}

/** The role runs in this process, so that it gets the signals and sets the exit code. */
async function runRole(role: string): Promise<void> {
  const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
  process.argv.splice(1, process.argv.length - 1, main, role)
  await import(main)
}
