/** The port to identity providers: a browser is sent there, and what it brings back tells who its user is. */
import type { Person } from './person.ts'

/** What is asked for, and where the browser comes back to. */
export type IdentificationAsked = {
  /** An address of ours that knows what to do with what the browser brings. */
  readonly back: string
  /** The country of the person's eID, ISO 3166-1. */
  readonly countryCode: string
  /** SHA-256 (base64url) of what is signed, to be in what the provider signs; null where the person only identifies. */
  readonly documentHash: string | null
  /** What the provider shows to whoever signs, where it can. */
  readonly text: string | null
  /** What the person reads, e.g. `nb`. */
  readonly language: string
}

/** An identification that waits for a browser. */
export type IdentificationBegun = {
  /** The provider's address that the browser goes to. */
  readonly url: string
  /** What is needed when it comes back; whoever keeps it seals it. */
  readonly secret: string
}

/** What a browser brought back. */
export type IdentificationBrought = {
  /** Query parameters; nothing in them is believed. */
  readonly query: Readonly<Record<string, string>>
  readonly secret: string
}

/** What that was worth. */
export type Identification =
  | { readonly outcome: 'identified'; readonly person: Person; readonly idToken: string }
  /** The person said no, or left. */
  | { readonly outcome: 'denied' }
  /** It belongs to something else, or was shown before: it changes nothing. */
  | { readonly outcome: 'foreign' }

/** A provider at which persons identify. */
export type IdentityProvider = {
  readonly id: string
  /** What people know it by. */
  readonly name: string
  /** Throws `IdentityRefusal`. */
  begin(asked: IdentificationAsked): Promise<IdentificationBegun>
  /** Throws `IdentityRefusal`; with `unavailable`, the same may be tried again. */
  finish(brought: IdentificationBrought): Promise<Identification>
}
