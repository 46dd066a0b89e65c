/** `havn trigger`: makes the sandbox produce an event of a type, and prints its delivery, verified. */
import type { Command } from 'commander'
import { EVENT_TYPES, type EventType, eventFamilies, familyOf } from '../../../../contract/webhooks/event-types.ts'
import { verifyWebhook, type WebhookEvent } from '../../../../sdk/index.ts'
import { CommandError } from '../../command-error.ts'
import { developerCommand } from '../../command-options.ts'
import type { Connection, Context } from '../../context.ts'
import { deliveriesOf, withInboxSubscription } from '../inbox-deliveries.ts'
import { subjectOf } from '../listen.ts'
import { consentTriggers, entryTriggers } from './consent-triggers.ts'
import { exchangeTriggers } from './exchange-triggers.ts'
import { onboardingTriggers } from './onboarding-triggers.ts'
import { approvalTriggers, paymentTriggers, payrollTriggers } from './order-triggers.ts'
import { farMoveError, openStage, type PossibleTrigger, type Subject, type Trigger } from './trigger-stage.ts'

export type TriggerOptions = { readonly moveClock?: boolean }

/** A worker delivers within seconds. */
const DELIVERY_MILLISECONDS_MAX = 60_000

/** Without a type it lists them all. */
export async function trigger(context: Context, typeName: string | undefined, options: TriggerOptions): Promise<void> {
  if (typeName === undefined) {
    listTriggers(context)
    return
  }
  const type = eventTypeOf(typeName)
  const chosen = possibleTrigger(type, options)
  const connection = await context.connect()
  const stage = openStage(context, connection, { mayMoveFar: options.moveClock === true })
  await withInboxSubscription(connection, [type], async ({ id, signingSecret }) => {
    const subject = await chosen.run(stage)
    try {
      const event = await awaitEvent(context, connection, { subscriptionId: id, signingSecret, type, subject })
      context.output.result({ type, subject, event }, `${type} was delivered, and verified\n  ${subjectOf(event)}`)
    } finally {
      await chosen.cleanUp?.(stage, subject)
    }
  })
}

function listTriggers({ output }: Context): void {
  for (const type of EVENT_TYPES) {
    const listed = triggers[type]
    const isPossible = !('reason' in listed)
    const longMove = isPossible ? listed.longMove : undefined
    const what = isPossible
      ? `${listed.how}${longMove === undefined ? '' : ` (--move-clock: ${longMove})`}`
      : `cannot be triggered: ${listed.reason}`
    output.result(
      { type, family: familyOf(type), isPossible, ...listed, run: undefined, cleanUp: undefined },
      [type, `  ${what}`].join('\n'),
    )
  }
}

function eventTypeOf(name: string): EventType {
  const type = EVENT_TYPES.find((each) => each === name.toUpperCase())
  if (type !== undefined) {
    return type
  }
  const family = Object.entries(eventFamilies).find(([each]) => each === name.toUpperCase())
  const message =
    family === undefined
      ? `There is no event type ${JSON.stringify(name)}`
      : `${name} is a family of event types: choose ${family[1].join(', ')}`
  throw new CommandError('invalid', message, { next: 'havn trigger lists all types' })
}

function possibleTrigger(type: EventType, { moveClock }: TriggerOptions): PossibleTrigger {
  const chosen = triggers[type]
  if ('reason' in chosen) {
    throw new CommandError('invalid', `${type} cannot be triggered: ${chosen.reason}`)
  }
  if (chosen.longMove !== undefined && moveClock !== true) {
    throw farMoveError(`by ${chosen.longMove}`)
  }
  return chosen
}

type ExpectedEvent = {
  readonly subscriptionId: string
  readonly signingSecret: string
  readonly type: EventType
  readonly subject: Subject
}

/** The event about the subject. Throws when it is not delivered in time, or does not verify. */
async function awaitEvent(
  { output, signal }: Context,
  connection: Connection,
  { subscriptionId, signingSecret, type, subject }: ExpectedEvent,
): Promise<WebhookEvent> {
  const limit = AbortSignal.timeout(DELIVERY_MILLISECONDS_MAX)
  const until = { output, signal: AbortSignal.any([signal, limit]) }
  for await (const { headers, body } of deliveriesOf(until, connection, subscriptionId)) {
    const checked = verifyWebhook(body, headers, signingSecret)
    if (!checked.verified) {
      throw new CommandError('unsuccessful', `A delivery of ${type} did not verify: ${checked.reason}`)
    }
    if (isAbout(checked.event, subject)) {
      return checked.event
    }
  }
  signal.throwIfAborted()
  throw new CommandError('unavailable', `${type} was not delivered within ${DELIVERY_MILLISECONDS_MAX / 1_000} s`, {
    next: 'check that a worker runs (npm start, or havn worker), and see havn logs tail',
    details: { type, subject },
  })
}

function isAbout(event: WebhookEvent, subject: Subject): boolean {
  const data = new Map(Object.entries('data' in event ? Object(event.data) : {}))
  return Object.entries(subject).every(([name, value]) => data.get(name) === value)
}

export function declareTrigger(command: Command): void {
  developerCommand(command, trigger, [
    ['havn trigger', 'what can be triggered, and how'],
    ['havn trigger PAYMENT_STATUS_COMPLETED', 'while havn listen --forward … runs in another terminal'],
    'havn trigger ONBOARDING_STATUS_EXPIRED --move-clock --json',
  ])
    .argument('[type]', 'the event type, for example PAYMENT_STATUS_COMPLETED')
    .option('--move-clock', "allow a move of the sandbox's clock by more than a day")
}

export const triggers: Readonly<Record<EventType, Trigger>> = {
  ...paymentTriggers,
  ...payrollTriggers,
  ...approvalTriggers,
  ...consentTriggers,
  ...onboardingTriggers,
  ...exchangeTriggers,
  ...entryTriggers,
}
