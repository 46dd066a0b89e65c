/** Declares `havn listen`, `havn trigger`, `havn replay` and `havn webhook-test`. */
import { type Command, InvalidArgumentError } from 'commander'
import { runDeveloperCommand, withSharedOptions } from '../command-options.ts'
import type { SharedOptions } from '../context.ts'
import { examples } from '../output/examples.ts'
import type { ListenOptions } from './listen.ts'
import type { WebhookTestOptions } from './receiver-test/webhook-test.ts'
import type { ReplayOptions } from './replay.ts'
import type { TriggerOptions } from './trigger/trigger.ts'

export function declareReplay(command: Command): void {
  withSharedOptions(command)
    .argument('<subscription>', 'its id')
    .option('--since <time>', 'a date or timestamp: events that occurred then or later')
    .option('--until <time>', 'events that occurred before this time; a date is included')
    .option('--delivery <id>', 'only this delivery')
    .addHelpText(
      'after',
      examples([
        ['havn replay $SUBSCRIPTION --since 2026-11-01', ''],
        ['havn replay $SUBSCRIPTION --delivery $DELIVERY', ''],
      ]),
    )
    .action((subscription: string, options: ReplayOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { replay } = await import('./replay.ts')
        await replay(context, subscription, options)
      }),
    )
}

export function declareListen(command: Command): void {
  withSharedOptions(command)
    .option('--forward <url>', 'where each delivery is sent, unchanged, for example http://localhost:3000/webhooks')
    .option('--events <types>', 'event types or families, separated by commas; by default all', listOf)
    .option('--count <number>', 'end after this many deliveries', positive)
    .addHelpText(
      'after',
      examples([
        ['havn listen', 'until Ctrl-C'],
        ['havn listen --forward http://localhost:3000/webhooks --events PAYMENT_STATUS,CONSENT', ''],
        ['havn listen --count 1 --json', 'in a script'],
      ]),
    )
    .action((options: ListenOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { listen } = await import('./listen.ts')
        await listen(context, options)
      }),
    )
}

export function declareTrigger(command: Command): void {
  withSharedOptions(command)
    .argument('[type]', 'the event type, for example PAYMENT_STATUS_COMPLETED')
    .option('--move-clock', "allow a move of the sandbox's clock by more than a day")
    .addHelpText(
      'after',
      examples([
        ['havn trigger', 'what can be triggered, and how'],
        ['havn trigger PAYMENT_STATUS_COMPLETED', 'while havn listen --forward … runs in another terminal'],
        ['havn trigger ONBOARDING_STATUS_EXPIRED --move-clock --json', ''],
      ]),
    )
    .action((type: string | undefined, options: TriggerOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { trigger } = await import('./trigger/trigger.ts')
        await trigger(context, type, options)
      }),
    )
}

export function declareWebhookTest(command: Command): void {
  withSharedOptions(command)
    .argument('<url>', 'the endpoint')
    .option('--secret <secret>', 'the signing secret that it verifies with; by default that of HAVN_WEBHOOK_SECRET')
    .option('--new-secret <secret>', 'a second one that it must accept, too, as while a secret is rotated')
    .addHelpText(
      'after',
      examples([
        ['havn webhook-test http://localhost:3000/webhooks --secret test', ''],
        ['NODE_EXTRA_CA_CERTS=ca.pem havn webhook-test https://localhost/hooks --secret test', 'a CA of your own'],
      ]),
    )
    .action((url: string, options: WebhookTestOptions & SharedOptions) =>
      runDeveloperCommand(options, async (context) => {
        const { webhookTest } = await import('./receiver-test/webhook-test.ts')
        await webhookTest(context, url, options)
      }),
    )
}

function listOf(value: string): readonly string[] {
  return value.split(',').map((part) => part.trim())
}

function positive(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  }
  return number
}
