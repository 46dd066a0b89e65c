/** Declares `havn entries`. */
import { type Command, Option } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import { withConsentOptions } from '../consents/consent-commands.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import { ENTRY_FORMATS, type EntriesOptions } from './entry-formats.ts'

export function declareEntries(command: Command): void {
  withConsentOptions(withSharedOptions(command))
    .option('--account <number>', 'the account; by default the only one, asked for on a terminal')
    .option('--from <day>', 'the first day; by default 30 days before the last')
    .option('--to <day>', 'the last day; by default today at the bank')
    .option('--extended', 'with the details that the bank gives for single entries')
    .addOption(
      new Option('--format <format>', 'how they are printed; json is one entry per line')
        .choices(ENTRY_FORMATS)
        .default('table'),
    )
    .addHelpText(
      'after',
      examples([
        ['havn entries --account 80501100017 --from 2026-11-01', ''],
        ['havn entries --account 80501100017 --format csv > entries.csv', ''],
      ]),
    )
    .action((options: EntriesOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { entries } = await import('./entries.ts')
        await entries(context, options)
      }),
    )
}
