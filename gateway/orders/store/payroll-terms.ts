/** Encrypts and decrypts the terms of a payroll: its debtor, purpose and total. */
import type { Context } from '../../context.ts'
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'
import { type Payroll, type PayrollTerms, payrollPurpose } from '../payroll.ts'
import { findPayrollTerms } from './payroll-store.ts'

type Key = Pick<Payroll, 'partnerId' | 'id'>

export function sealPayrollTerms(
  seal: Seal,
  payroll: Key,
  { total: { minor, currency }, ...terms }: PayrollTerms,
): Buffer {
  const plain = { ...terms, total: { minor: minor.toString(), currency } }
  return seal.seal(JSON.stringify(plain), payrollPurpose(payroll))
}

export function openPayrollTerms(seal: Seal, payroll: Key, sealed: Buffer): PayrollTerms {
  const { total, ...terms } = JSON.parse(seal.open(sealed, payrollPurpose(payroll)))
  return { ...terms, total: { minor: BigInt(total.minor), currency: total.currency } }
}

/** Throws when the payroll does not exist. */
export async function readPayrollTerms({ database, seal }: Context, payroll: Key): Promise<PayrollTerms> {
  const sealed = await findPayrollTerms(database, payroll)
  if (sealed === undefined) {
    throw new Error(`Payroll ${payroll.id} has no terms`)
  }
  return openPayrollTerms(seal, payroll, sealed)
}
