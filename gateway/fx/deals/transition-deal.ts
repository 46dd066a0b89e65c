/** Moves a deal on: the only writer of its state. Row, ledger and history change in one transaction, or not at all. */
import type { Context } from '../../context.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import {
  bookedLines,
  cameBackLines,
  type LedgerEvent,
  type Line,
  paidLines,
  refundedLines,
} from '../ledger/ledger-lines.ts'
import { post } from '../ledger/post.ts'
import { type Deal, type DealState, mayFollow } from './deal.ts'
import { insertDealEvent } from './deal-history-store.ts'
import { type DealChange, writeMove } from './deal-transition-store.ts'

/** What moving takes of the surroundings; within a transaction when that is given in place of the database. */
export type Moving = { readonly database: Queryable; readonly clock: Context['clock'] }

/** A change of state, with what it says in the ledger besides, and in the history. */
export type DealMove = DealChange & {
  readonly state: DealState
  readonly posting?: { readonly event: LedgerEvent; readonly lines: readonly Line[] }
  readonly detail?: Readonly<Record<string, unknown>>
}

/** The deal as it is then; undefined when somebody else moved it first, and nothing was written. */
export async function moveDeal({ database, clock }: Moving, deal: Deal, move: DealMove): Promise<Deal | undefined> {
  if (!mayFollow(deal.state, move.state)) {
    throw new Error(`Deal ${deal.id} is ${deal.state}, after which it is never ${move.state}`)
  }
  const { posting, detail, ...change } = move
  const at = clock.now()
  return await atomically(database, async (within) => {
    const moved = await writeMove(within, deal, { ...change, at })
    if (moved === undefined) {
      return undefined
    }
    const said = posting ?? postingOf(deal, moved)
    if (said !== undefined) {
      await post(within, { partnerId: deal.partnerId, at, ...said })
    }
    await insertDealEvent(within, deal, { at, event: move.state, detail: detail ?? {} })
    return moved
  })
}

/** What the ledger says of a change of state by itself; funding names what it came from, and undoing what it cost. */
function postingOf(before: Deal, { state, returned }: Deal): DealMove['posting'] {
  switch (state) {
    case 'booked':
      return { event: 'booked', lines: bookedLines(before) }
    case 'paid':
      return { event: 'paid', lines: paidLines(before) }
    case 'returned':
      return { event: 'came-back', lines: cameBackLines(before, cameBack(before, returned)) }
    case 'refunded':
      return { event: 'refunded', lines: refundedLines(before, returned ?? before.quote.buy) }
    default:
      return undefined
  }
}

function cameBack({ state, quote }: Deal, returned: Deal['returned']): Parameters<typeof cameBackLines>[1] {
  return { wasPaid: state === 'paid', returned: returned ?? quote.buy }
}
