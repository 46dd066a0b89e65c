/** Declares the sandbox operations on the webhook inbox: open it, and list what it has received. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'
import { instant, instantParameter, text, textOrNull, uuid } from '../shapes.ts'
import { sandboxStep } from './sandbox-bank.ts'

export const SandboxInboxDelivery = Type.Object(
  {
    id: uuid('Identifies what was received.'),
    receivedAt: instant('When it was received, in wall time.'),
    eventType: textOrNull('The header `X-SVC-Webhook-Event`; null without it.'),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'The headers by lower-case name; the token of `authorization` is masked.',
    }),
    body: text('The exact body.'),
    signature: Type.Enum(['valid', 'missing', 'expired', 'wrong'], {
      description:
        'Whether it was signed with the secret of a subscription of the inbox, within five minutes. All but `valid` ' +
        'were answered with 401.',
    }),
  },
  { title: 'SandboxInboxDelivery', description: 'A request that the inbox has received.' },
)
export type SandboxInboxDelivery = Static<typeof SandboxInboxDelivery>

const path = '/api/sandbox/inbox'

export const openSandboxInbox = operation({
  ...sandboxStep,
  id: 'openSandboxInbox',
  path,
  summary: 'Open the webhook inbox',
  description:
    'Returns the URL of an endpoint of ours, the same each time. Deliveries of subscriptions with this URL are ' +
    'verified and stored: the newest 100, for 30 days. The console shows them, too. Returns 503 if the gateway runs ' +
    'without an inbox.',
  answer: {
    status: 200,
    schema: Type.Object(
      { url: text('The `targetUrl` for subscriptions.') },
      { title: 'SandboxInbox', description: 'The webhook inbox of the partner.' },
    ),
  },
})

export const listSandboxInboxDeliveries = operation({
  ...sandboxStep,
  id: 'listSandboxInboxDeliveries',
  method: 'GET',
  path: `${path}/deliveries`,
  summary: 'List what the webhook inbox has received',
  description: 'Newest first, the newest 100.',
  errorStatuses: [400, 401, 403, 429, 500, 503],
  malformed: 400,
  query: Type.Object({
    receivedSince: Type.Optional(instantParameter('What was received at this time or later.')),
  }),
  validation: [],
  idempotent: false,
  answer: {
    status: 200,
    schema: Type.Array(SandboxInboxDelivery, { description: 'What the inbox has received, newest first.' }),
  },
})
