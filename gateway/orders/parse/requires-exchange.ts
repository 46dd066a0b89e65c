/** Decides whether a cross-border payment requires a currency exchange. */

/** The currencies of an order, which may not be validated yet. */
type Currencies = {
  readonly amount?: { readonly currency?: unknown }
  readonly from?: { readonly currency?: unknown }
}

/** Whether the creditor receives another currency than that of the debtor account. */
export function requiresExchange({ amount, from }: Currencies): boolean {
  const [paid, held] = [amount?.currency, from?.currency]
  return typeof paid === 'string' && typeof held === 'string' && paid !== held
}
