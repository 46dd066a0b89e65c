/** Creates a signing basket at the bank; it is recorded before the call, so that no payment stays in an unknown basket. */

import { BankError } from '../../../banks/connector/bank-error.ts'
import { isBankError, isCertainlyNotExecuted } from '../../../banks/connector/bank-error-classification.ts'
import type { BankCaller } from '../../../banks/connector/connector.ts'
import type { ReturnUrls } from '../../../banks/connector/sca-authorisation.ts'
import { callSecondsMax } from '../../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../../context.ts'
import { newBankRequestId } from '../../../platform/ids.ts'
import type { AcknowledgedPayment } from '../../payment.ts'
import type { SignerContext } from '../signer-context.ts'
import { isBasketAtBank } from './basket.ts'
import { type BasketKey, changeBasketState, findBasket, recordBasketRequested } from './basket-store.ts'
import { markBasketUnknown } from './end-basket.ts'

type BasketOfApproval = BasketKey & { readonly consentId: string; readonly approvalId: string }

/** Margin after the longest call: a process that has recorded no answer by then has crashed. */
const OWN_SECONDS = 30
/** After this the sweep deletes a basket whose approval was never stored, and reschedules one whose approval is open. */
const MAINTAIN_AFTER = { minutes: 1 }

type BasketCreation = {
  readonly user: BankCaller
  readonly payments: readonly AcknowledgedPayment[]
  readonly back: ReturnUrls
}

/** Returns the bank's id of the basket, which is created if it does not exist. Throws `BankError`. */
export async function ensureBankBasket(
  context: Context,
  at: SignerContext,
  basket: BasketOfApproval,
  creation: BasketCreation,
): Promise<string> {
  return (await findBankBasketId(context, basket)) ?? (await requestBasket(context, at, basket, creation))
}

/** Returns the bank's id of the basket. Throws `BankError` if it does not exist. */
export async function requireBankBasketId(context: Context, basket: BasketKey): Promise<string> {
  const bankBasketId = await findBankBasketId(context, basket)
  if (bankBasketId === undefined) {
    throw new BankError('unknown-resource', `The bank has no basket ${basket.id}`)
  }
  return bankBasketId
}

async function findBankBasketId({ database }: Context, basket: BasketKey): Promise<string | undefined> {
  const stored = await findBasket(database, basket)
  return stored !== undefined && isBasketAtBank(stored) ? stored.bankBasketId : undefined
}

async function requestBasket(
  context: Context,
  at: SignerContext,
  basket: BasketOfApproval,
  creation: BasketCreation,
): Promise<string> {
  const { clock, database } = context
  const { partnerId, id, consentId, approvalId } = basket
  const requestId = newBankRequestId()
  const createdAt = clock.now()
  const dueAt = createdAt.add({ seconds: callSecondsMax(context.config) + OWN_SECONDS })
  const row = { partnerId, id, consentId, approvalId, bic: at.bank.bic, bankRequestId: requestId, createdAt, dueAt }
  if (!(await recordBasketRequested(database, row, creation.payments))) {
    throw new BankError('authentication-busy', 'Another request is creating a basket of these payments')
  }
  const { bankBasketId } = await create(context, at, basket, { ...creation, requestId })
  await changeBasketState(database, basket, { state: 'unsigned', bankBasketId, dueAt: clock.now().add(MAINTAIN_AFTER) })
  return bankBasketId
}

/** After a rejection there is no basket; after any other error the bank may have one whose id is unknown. */
async function create(
  context: Context,
  { bank, connector }: SignerContext,
  basket: BasketKey,
  { user, ...creation }: BasketCreation & { readonly requestId: string },
): Promise<{ bankBasketId: string }> {
  if (connector.baskets === undefined) {
    throw new BankError('unsupported-product', `The bank ${bank.bic} does not sign payments together`)
  }
  try {
    return await connector.baskets.create(user, creation)
  } catch (error) {
    const state = stateAfter(error)
    if (state === 'unknown') {
      await markBasketUnknown(context, { ...basket, bic: bank.bic, bankRequestId: creation.requestId })
    } else {
      await changeBasketState(context.database, basket, { state, dueAt: null })
    }
    throw error
  }
}

function stateAfter(error: unknown): 'void' | 'rejected' | 'unknown' {
  if (!isCertainlyNotExecuted(error)) {
    return 'unknown'
  }
  return isBankError(error, 'basket-rejected') ? 'rejected' : 'void'
}
