/** Declares the commands of production: `havn gateway`, `havn worker`, `havn migrate`. */
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'

/** Each role with what it is for. */
const ROLES = {
  gateway: 'answer partners and serve the pages that users pass through; any number of these',
  worker: 'do what falls due: follow payments, close deadlines, resolve unknown outcomes; any number of these',
}

/** Adds them to the program. */
export function addRoleCommands(program: Command): void {
  for (const [role, description] of Object.entries(ROLES)) {
    program
      .command(role)
      .description(description)
      .action(() => becomeRole(role))
  }
  program
    .command('migrate')
    .description(
      "bring the database of DATABASE_URL to this release's schema; once per release, before the roles start",
    )
    .action(async () => (await import('./migrate.ts')).migrateDatabase(process.env))
}

/** The role runs in this very process, so that signals and exit codes are its own. */
async function becomeRole(role: string): Promise<void> {
  const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
  process.argv.splice(1, process.argv.length - 1, main, role)
  await import(main)
}
