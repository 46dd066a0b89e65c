/** What a provider tells without being asked. It is a hint: what is true is what the provider answers when read. */

/** Something at the provider changed; its state is to be read. */
export type ProviderNotice = {
  readonly about: 'conversion' | 'payout' | 'receipt'
  /** The provider's id of it. */
  readonly id: string
  /** The id that we gave with the request for it, where there was one. */
  readonly requestId: string | null
}

/** A notification as it arrived: headers by their lower-case names, the body byte for byte. */
export type ArrivedNotice = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly rawBody: Buffer
}
