/** Seals and opens what is kept of a payroll as a whole: who pays, and the sum. */
import type { Context } from '../context.ts'
import type { Seal } from '../platform/crypto/envelope-encryption.ts'
import { type Payroll, type PayrollTerms, payrollPurpose } from './payroll.ts'
import { findTerms } from './payroll-store.ts'

type Key = Pick<Payroll, 'partnerId' | 'id'>

/** As it is kept. */
export function sealTerms(seal: Seal, payroll: Key, { total: { minor, currency }, ...terms }: PayrollTerms): Buffer {
  const plain = { ...terms, total: { minor: minor.toString(), currency } }
  return seal.seal(JSON.stringify(plain), payrollPurpose(payroll))
}

/** Opens what `sealTerms` sealed. */
export function openTerms(seal: Seal, payroll: Key, sealed: Buffer): PayrollTerms {
  const { total, ...terms } = JSON.parse(seal.open(sealed, payrollPurpose(payroll)))
  return { ...terms, total: { minor: BigInt(total.minor), currency: total.currency } }
}

/** Of one payroll. */
export async function termsOf(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  payroll: Key,
): Promise<PayrollTerms> {
  const sealed = await findTerms(database, payroll)
  if (sealed === undefined) {
    throw new Error(`Payroll ${payroll.id} has no terms`)
  }
  return openTerms(seal, payroll, sealed)
}
