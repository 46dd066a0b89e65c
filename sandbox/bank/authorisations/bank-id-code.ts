/** Computes the animated QR code of a BankID order: a new code every second, derived from its secret. */
import { createHmac } from 'node:crypto'

/** The token of an order, which is public, and its secret, which never leaves the bank. */
export type BankIdOrder = { readonly token: string; readonly secret: string }

/** The code for a number of whole seconds since the order began. */
export function bankIdCode({ token, secret }: BankIdOrder, seconds: number): string {
  const authentication = createHmac('sha256', secret).update(String(seconds)).digest('hex')
  return `bankid.${token}.${seconds}.${authentication}`
}
