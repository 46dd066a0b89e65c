/** Makes a basket at its bank: kept before the bank is asked, so that no payment stays in one that nobody knows of. */

import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { BankCaller } from '../banks/connector/connector.ts'
import type { ReturnAddresses } from '../banks/connector/sca-authorisation.ts'
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'
import type { HeldPayment } from '../orders/payment.ts'
import { newBankRequestId } from '../platform/ids.ts'
import { isAtBank } from './baskets/basket.ts'
import { type BasketKey, findBasket, keepBasketAsked, moveBasket } from './baskets/basket-store.ts'
import { loseBasket } from './baskets/mark-basket-unknown.ts'
import type { SignerAtBank } from './signer-at-bank.ts'

/** A basket as the steps of an approval see it. */
export type BasketAtBank = {
  /** The bank's id of it, which is asked for one where there is none yet. Throws the bank's refusal. */
  make(user: BankCaller, payments: readonly HeldPayment[], back: ReturnAddresses): Promise<string>
  /** The bank's id of it. */
  find(): Promise<string>
}

type OfApproval = BasketKey & { readonly consentId: string; readonly approvalId: string }

/** A process that has not kept an answer after its call and this has died. */
const OWN_SECONDS = 30
/** A basket whose approval was never kept is dropped after this; one whose approval is open is looked after again. */
const LOOK_AFTER = { minutes: 1 }

/** Opens a basket of ours, which may not be there yet. */
export function basketAtBank(context: Context, at: SignerAtBank, basket: OfApproval): BasketAtBank {
  const find = async () => {
    const kept = await findBasket(context.database, basket)
    return kept !== undefined && isAtBank(kept) ? kept.bankBasketId : undefined
  }
  return {
    make: async (user, payments, back) => (await find()) ?? (await ask(context, at, basket, { user, payments, back })),
    find: async () => {
      const bankBasketId = await find()
      if (bankBasketId === undefined) {
        throw new BankRefusal('unknown-resource', `The bank holds no basket ${basket.id}`)
      }
      return bankBasketId
    },
  }
}

type Asked = {
  readonly user: BankCaller
  readonly payments: readonly HeldPayment[]
  readonly back: ReturnAddresses
}

async function ask(context: Context, at: SignerAtBank, basket: OfApproval, asked: Asked): Promise<string> {
  const { clock, database } = context
  const { partnerId, id, consentId, approvalId } = basket
  const requestId = newBankRequestId()
  const createdAt = clock.now()
  const dueAt = createdAt.add({ seconds: callSecondsMax(context.config) + OWN_SECONDS })
  const row = { partnerId, id, consentId, approvalId, bic: at.bank.bic, bankRequestId: requestId, createdAt, dueAt }
  if (!(await keepBasketAsked(database, row, asked.payments))) {
    throw new BankRefusal('authentication-busy', 'These payments are being laid together at this moment')
  }
  const { bankBasketId } = await create(context, at, basket, { ...asked, requestId })
  await moveBasket(database, basket, { state: 'held', bankBasketId, dueAt: clock.now().add(LOOK_AFTER) })
  return bankBasketId
}

/** After a certain no there is none; after anything else the bank may hold one whose id we do not know. */
async function create(
  context: Context,
  { bank, connector }: SignerAtBank,
  basket: BasketKey,
  { user, ...asked }: Asked & { readonly requestId: string },
): Promise<{ bankBasketId: string }> {
  if (connector.baskets === undefined) {
    throw new BankRefusal('unsupported-product', `The bank ${bank.bic} signs no payments together`)
  }
  try {
    return await connector.baskets.create(user, asked)
  } catch (error) {
    const state = stateAfter(error)
    if (state === 'lost') {
      await loseBasket(context, { ...basket, bic: bank.bic, bankRequestId: asked.requestId })
    } else {
      await moveBasket(context.database, basket, { state, dueAt: null })
    }
    throw error
  }
}

function stateAfter(error: unknown): 'void' | 'refused' | 'lost' {
  if (!(error instanceof BankRefusal) || error.kind === 'outcome-unknown') {
    return 'lost'
  }
  return error.kind === 'basket-refused' ? 'refused' : 'void'
}
