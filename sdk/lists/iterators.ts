/** Iterates over lists: pages are followed, and account entries are returned while the response arrives. */

import type { Call } from '../call.ts'
import { HavnConnectionError } from '../errors/havn-error.ts'
import type {
  AccountEntry,
  LoggedRequestSummary,
  PaymentSummary,
  PayrollSummary,
  WebhookDeliverySummary,
} from '../generated/api-types.ts'
import { operationTable } from '../generated/operation-table.ts'
import type {
  ListAccountEntriesCall,
  ListExtendedAccountEntriesCall,
  ListPaymentsCall,
  ListPayrollsCall,
  ListRequestsCall,
  ListWebhookDeliveriesCall,
  ListWebhookEventsCall,
} from '../generated/operations.ts'
import { isRecord } from '../json.ts'
import type { NamedOperation } from '../operation-entry.ts'
import type { Caller } from '../perform-call.ts'
import type { WebhookEvent } from '../webhooks/webhook-event.ts'
import { ArraySplitter } from './array-elements.ts'

/** Iteration over the lists of the API: `for await (const payment of havn.iteratePayments()) …`. */
export type HavnIterators = {
  /** Every payment that matches the query, page by page; `query.limit` is the size of a page. */
  iteratePayments(call?: ListPaymentsCall): AsyncGenerator<PaymentSummary, void, undefined>
  /** Every payroll that matches the query, page by page. */
  iteratePayrolls(call?: ListPayrollsCall): AsyncGenerator<PayrollSummary, void, undefined>
  /** Every delivery of a webhook subscription, newest first, page by page. */
  iterateWebhookDeliveries(call: ListWebhookDeliveriesCall): AsyncGenerator<WebhookDeliverySummary, void, undefined>
  /**
   * Every event after `query.after` until the newest, oldest first; with `query.family` those of one family. `onMissed` is
   * called where events after the position were deleted: get the resources themselves then. To know the position from which
   * to continue later, use `listWebhookEvents`, whose pages have `nextAfter`.
   */
  iterateWebhookEvents(
    call?: ListWebhookEventsCall,
    onMissed?: () => void,
  ): AsyncGenerator<WebhookEvent, void, undefined>
  /** Your requests in the log, newest first, page by page. */
  iterateRequests(call?: ListRequestsCall): AsyncGenerator<LoggedRequestSummary, void, undefined>
  /**
   * The entries on an account, one by one while the bank is read. It throws a `HavnConnectionError` when the list ends
   * early, so that an incomplete list is not taken for a complete one.
   */
  iterateAccountEntries(call: ListAccountEntriesCall): AsyncGenerator<AccountEntry, void, undefined>
  /** The entries on an account with details, one by one while the bank is read. */
  iterateExtendedAccountEntries(call: ListExtendedAccountEntriesCall): AsyncGenerator<AccountEntry, void, undefined>
}

type OperationId = keyof typeof operationTable

export function iteratorsOf(caller: Caller): HavnIterators {
  const iterators = {
    iteratePayments: pagesOf(caller, 'listPayments', 'payments'),
    iteratePayrolls: pagesOf(caller, 'listPayrolls', 'payrolls'),
    iterateWebhookDeliveries: pagesOf(caller, 'listWebhookDeliveries', 'deliveries'),
    iterateWebhookEvents: pagesOf(caller, 'listWebhookEvents', 'events'),
    iterateRequests: pagesOf(caller, 'listRequests', 'requests'),
    iterateAccountEntries: entriesOf(caller, 'listAccountEntries'),
    iterateExtendedAccountEntries: entriesOf(caller, 'listExtendedAccountEntries'),
  }
  // The elements have the types of the contract, whose pages these are.
  return iterators as HavnIterators
}

/** Follows the pages of a list. The end is a page without a cursor, or one at the position where it began. */
function pagesOf(caller: Caller, id: OperationId, elements: string) {
  const operation: NamedOperation = { id, ...operationTable[id] }
  return async function* iterate(call: Call = {}, onMissed?: () => void): AsyncGenerator<unknown, void, undefined> {
    let query = call.query
    for (;;) {
      const page = await caller.perform(operation, { ...call, query })
      const { [elements]: listed, nextCursor, nextAfter, missed } = isRecord(page) ? page : {}
      if (missed === true) {
        onMissed?.()
      }
      const found = Array.isArray(listed) ? listed : []
      yield* found
      const isLast = typeof nextCursor !== 'string' && (typeof nextAfter !== 'string' || found.length === 0)
      if (isLast) {
        return
      }
      query = { ...query, ...(typeof nextCursor === 'string' ? { cursor: nextCursor } : { after: nextAfter }) }
    }
  }
}

function entriesOf(caller: Caller, id: OperationId) {
  const operation: NamedOperation = { id, ...operationTable[id] }
  return async function* iterate(call: Call): AsyncGenerator<unknown, void, undefined> {
    const reader = (await caller.stream(operation, call)).getReader()
    const decoder = new TextDecoder()
    const splitter = new ArraySplitter('accountEntries')
    try {
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
        yield* splitter.push(decoder.decode(value, { stream: true }))
      }
      if (!splitter.isComplete) {
        throw new HavnConnectionError(`The response of ${id} ended before its last entry`, {
          operation: id,
          code: 'ConnectionFailed',
        })
      }
    } finally {
      // Also when the caller leaves the loop early.
      await reader.cancel().catch(() => undefined)
    }
  }
}
