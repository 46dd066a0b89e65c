/** The context of webhook operations: that of all modules, and the dispatcher to partners' endpoints. */
import type { Context } from '../context.ts'
import type { WebhookDispatcher } from './deliveries/dispatch/webhook-dispatcher.ts'

export type WebhookContext = Context & { readonly dispatch: WebhookDispatcher }
