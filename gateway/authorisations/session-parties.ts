/** Defines the parties of an SCA session that its pages name: who requests the signature, and who has signed before. */

/** Who requests the signature, and for which company of which country; the country is empty where it is unknown. */
export type ScaSessionParties = Readonly<Record<'partnerName' | 'companyName' | 'countryCode', string>>

/** Who has signed a target that needs the signatures of several users. */
export type EarlierSignatures = {
  /** Whether the user of the session has. */
  readonly isOwn: boolean
  /** The ids of other users at the bank, masked; empty where the bank identified them, or where they signed elsewhere. */
  readonly others: readonly string[]
}
