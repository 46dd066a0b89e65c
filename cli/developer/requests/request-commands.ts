/** Declares `havn logs`: the partner's own requests with their responses. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { LOGGED_STATUS_CLASSES, REQUESTS_PER_PAGE } from '../../../contract/request-log-limits.ts'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { TailOptions } from './tail-requests.ts'

const LAST_DEFAULT = 10

export function addRequestCommands(logs: Command): void {
  withSharedOptions(logs.command('tail'))
    .description('print the last requests, and every further one until Ctrl-C')
    .option('--last <number>', `how many are printed at first, ${REQUESTS_PER_PAGE.max} at most`, countOf, LAST_DEFAULT)
    .option('--no-follow', 'print the last requests only')
    .addOption(
      new Option('--status <class>', 'with these statuses; errors are 4xx and 5xx').choices(LOGGED_STATUS_CLASSES),
    )
    .option('--path <path>', 'whose path begins with it, for example /api/v2/payments')
    .option('--code <code>', 'that were rejected with this code, for example InvalidAmount')
    .addHelpText(
      'after',
      examples([
        ['havn logs tail', ''],
        ['havn logs tail --status errors --last 50 --no-follow', ''],
        ['havn logs tail --path /api/v2/payments --json', ''],
      ]),
    )
    .action((options: TailOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { tailRequests } = await import('./tail-requests.ts')
        await tailRequests(context, options)
      }),
    )
  withSharedOptions(logs.command('show'))
    .description('print a request with its response, and as a curl command')
    .argument('<id>', 'the svc-request-id of the response')
    .addHelpText('after', examples([['havn logs show $REQUEST', '']]))
    .action((id: string, options: SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { showRequest } = await import('./show-request.ts')
        await showRequest(context, id)
      }),
    )
}

function countOf(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > REQUESTS_PER_PAGE.max) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${REQUESTS_PER_PAGE.max}.`)
  }
  return number
}
