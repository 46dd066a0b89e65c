/** Validates that payments of the funding bank can carry the reference code. */

import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { Context } from '../../context.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { referenceCodeUnsupportedReason } from './reference-code.ts'

/** A BIC of eleven characters names a branch of the bank of the first eight (ISO 9362). */
const HEAD_OFFICE_BIC_LENGTH = 8

/** A bank that is not in the directory is not checked: its customers pay outside Havn. */
export async function referenceCodeErrors(
  { banks }: Context,
  { from }: ExchangeOrder,
): Promise<readonly ValidationError[]> {
  const bank = (await banks.find(from.bic)) ?? (await banks.find(from.bic.slice(0, HEAD_OFFICE_BIC_LENGTH)))
  const reason = bank && referenceCodeUnsupportedReason(bank)
  return reason === undefined ? [] : [{ code: 'InvalidRemittanceInformation', path: '.from.bic', reason }]
}
