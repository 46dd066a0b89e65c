/** Writes the links of an authorisation: where its user goes, where its third party brings a code, and where it stands. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { metadataAddress } from '../oauth/server-metadata.ts'
import { type Link, linkTo, signingAddress } from '../xs2a/xs2a-links.ts'
import { type Authorisation, isUnconfirmed } from './authorisation.ts'

/** An authorisation and where it is found below `/v1`. */
type Placed = { readonly authorisation: Authorisation; readonly path: string }
type Links = Readonly<Record<string, Link>>

/** What the answer to its beginning links to; the token is in the browser's link and known only now. */
export function linksAtStart(
  context: BankContext,
  bank: BankProfile,
  { authorisation, path }: Placed,
  token: string,
): Links {
  const own = linkTo(context.addresses, bank, path)
  const confirmation: Links = bank.signing.confirmation ? { confirmation: own } : {}
  switch (authorisation.approach) {
    case 'redirect':
      return { ...browserLink(context, bank, authorisation, token), ...confirmation, scaStatus: own }
    case 'embedded':
      return { updatePsuAuthentication: own, scaStatus: own }
    case 'app':
      return { scaStatus: own }
  }
}

/** What is left to do, as a later reading of it links to. */
export function linksOnReading(context: BankContext, bank: BankProfile, { authorisation, path }: Placed): Links {
  const { outcome, opened_at: openedAt, link_token: token, approach } = authorisation
  if (isUnconfirmed(authorisation)) {
    return { confirmation: linkTo(context.addresses, bank, path) }
  }
  const isUntouched = outcome === null && openedAt === null && approach === 'redirect'
  return isUntouched && token !== null ? browserLink(context, bank, authorisation, token) : {}
}

function browserLink({ addresses }: BankContext, bank: BankProfile, { id }: Authorisation, token: string): Links {
  return bank.oauth === 'integrated'
    ? { scaOAuth: { href: metadataAddress(addresses, bank) } }
    : { scaRedirect: { href: signingAddress(addresses, id, token) } }
}
