/** Makes the code that a BankID order shows as a QR image: another one every second, for whoever knows its secret. */
import { createHmac } from 'node:crypto'

/** An order's token, which anybody may see, and its secret, which stays at the bank. */
export type BankIdOrder = { readonly token: string; readonly secret: string }

/** The code so many whole seconds after the order began. */
export function bankIdCode({ token, secret }: BankIdOrder, seconds: number): string {
  const authentication = createHmac('sha256', secret).update(String(seconds)).digest('hex')
  return `bankid.${token}.${seconds}.${authentication}`
}
