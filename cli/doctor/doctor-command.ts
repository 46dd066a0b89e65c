/** Declares `havn doctor`. */
import type { Command } from 'commander'
import type { DoctorOptions } from './run-doctor.ts'

export function declareDoctor(command: Command): void {
  command
    .option('--before-upgrade', "check too what would break the upgrade to this release; run before its 'havn migrate'")
    .option('--json', 'print one JSON document')
    .option('--offline', 'connect to nothing but the database')
    .option('--skip <groups>', 'skip groups of checks, separated by commas, e.g. banks,providers', (text) =>
      text.split(',').map((name) => name.trim()),
    )
    .action(async (options: DoctorOptions) => (await import('./run-doctor.ts')).runDoctor(options, process.env))
}
