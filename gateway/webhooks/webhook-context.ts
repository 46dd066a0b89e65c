/** What the verbs of this room get first: the parts that all rooms share, and the way out to partners' endpoints. */
import type { Context } from '../context.ts'
import type { Dispatch } from './deliveries/dispatch/webhook-dispatcher.ts'

export type WebhookContext = Context & { readonly dispatch: Dispatch }
