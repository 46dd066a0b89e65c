/** Defines a provider's notification: it only says what to read at the provider. */

/** A resource at the provider has changed; its state is to be read there. */
export type ProviderNotification = {
  readonly about: 'conversion' | 'payout' | 'receipt'
  /** The provider's id of the resource. */
  readonly id: string
  /** The request id with which we created it, if any. */
  readonly requestId: string | null
}

/** The received request: headers by lower-case name, the body byte for byte. */
export type ReceivedNotification = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawBody: Buffer
}
