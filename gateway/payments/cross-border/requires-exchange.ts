/** Tells whether a cross-border payment needs an exchange of money. */

/** The currencies of an order; what is not sound may be anything. */
type Currencies = {
  readonly amount?: { readonly currency?: unknown }
  readonly from?: { readonly currency?: unknown }
}

/** What the receiver is paid in is not what the account holds. */
export function isExchanged({ amount, from }: Currencies): boolean {
  const [paid, held] = [amount?.currency, from?.currency]
  return typeof paid === 'string' && typeof held === 'string' && paid !== held
}
