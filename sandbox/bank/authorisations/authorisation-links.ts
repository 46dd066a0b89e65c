/** Renders the links of an authorisation, and the headers of what is created to be authorised. */
import type { Addresses, Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { acceptedNotificationContent } from '../push-notifications.ts'
import type { Xs2aCall, Xs2aHeaders } from '../xs2a/xs2a-call.ts'
import { absoluteUrl, type Link, linkTo, metadataUrl, scaPageUrl } from '../xs2a/xs2a-links.ts'
import { type Authorisation, isUnconfirmed } from './authorisation.ts'
import { approachNames, awaitsMethod, chooseScaApproach } from './sca-approach.ts'

/** An authorisation and its path below `/v1`. */
export type LocatedAuthorisation = { readonly authorisation: Authorisation; readonly path: string }
type Links = Readonly<Record<string, Link>>

/** The links of the creation response; only then is the token of the browser's link known. */
export function linksOnCreation(
  context: Context,
  bank: BankProfile,
  { authorisation, path }: LocatedAuthorisation,
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
      return awaitsMethod(authorisation) ? { selectAuthenticationMethod: own, scaStatus: own } : { scaStatus: own }
  }
}

/** The links of later reads: the steps that remain. */
export function linksOnReading(
  context: Context,
  bank: BankProfile,
  { authorisation, path }: LocatedAuthorisation,
): Links {
  const { outcome, opened_at: openedAt, link_token: token, approach } = authorisation
  if (isUnconfirmed(authorisation)) {
    return { confirmation: linkTo(context.addresses, bank, path) }
  }
  const isUntouched = outcome === null && openedAt === null && approach === 'redirect'
  return isUntouched && token !== null ? browserLink(context, bank, authorisation, token) : {}
}

function browserLink({ addresses }: Context, bank: BankProfile, { id }: Authorisation, token: string): Links {
  return bank.oauth === 'integrated'
    ? { scaOAuth: { href: metadataUrl(addresses, bank) } }
    : { scaRedirect: { href: scaPageUrl(addresses, id, token) } }
}

/** The headers of every creation response: location, SCA approach, and notification support. */
export function creationHeaders(
  addresses: Addresses,
  { bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>,
  path: string,
): Readonly<Record<string, string>> {
  return {
    Location: absoluteUrl(addresses, bank, path),
    'ASPSP-SCA-Approach': approachNames[chooseScaApproach(bank, headers, headers.psuId)],
    ...notificationHeaders(bank, headers),
  }
}

/** Whether the bank will send notifications, and with which content. */
function notificationHeaders(bank: BankProfile, headers: Xs2aHeaders): Readonly<Record<string, string>> {
  return headers.notificationUri === null || !bank.notifies
    ? { 'ASPSP-Notification-Support': 'false' }
    : {
        'ASPSP-Notification-Support': 'true',
        'ASPSP-Notification-Content': acceptedNotificationContent(headers.notificationContent),
      }
}
