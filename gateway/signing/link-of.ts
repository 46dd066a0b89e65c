/** Opens the link of a signing for the partner that reads it again: its user may have closed the tab. */
import type { ScaRedirect } from '../../contract/sca.ts'
import type { Context } from '../context.ts'
import type { Signing } from './signing.ts'

/** Where the user is sent until it is decided; once a browser has used the link, it leads that browser alone to the bank. */
export function linkOf({ seal }: Context, { id, linkSealed }: Signing): { sca?: ScaRedirect } {
  return linkSealed === null ? {} : { sca: { type: 'redirect', url: seal.open(linkSealed, linkPurpose(id)) } }
}

/** What a sealed link is bound to. */
export function linkPurpose(signingId: string): string {
  return `signing link ${signingId}`
}

/** What the sealed id of the user who signs is bound to. */
export function signerPurpose(signingId: string): string {
  return `signing user ${signingId}`
}
