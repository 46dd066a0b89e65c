/** What reference rates are: units of each currency for one euro, by which amounts are compared. */

/** Rates of one day. */
export type ReferenceRates = { readonly day: Temporal.PlainDate; readonly perEuro: Readonly<Record<string, string>> }
