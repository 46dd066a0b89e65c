/** Opens the stored link of an SCA session for the partner: the user may have closed the tab. */
import type { ScaRedirect } from '../../contract/sca.ts'
import type { Context } from '../context.ts'
import type { ScaSession } from './sca-session.ts'

/** The link, until the outcome is decided; once a browser has used it, it works in that browser only. */
export function scaLinkOf({ seal }: Context, { id, linkSealed }: ScaSession): { sca?: ScaRedirect } {
  return linkSealed === null ? {} : { sca: { type: 'redirect', url: seal.open(linkSealed, scaLinkPurpose(id)) } }
}

/** The purpose that a sealed link is bound to. */
export function scaLinkPurpose(scaSessionId: string): string {
  return `signing link ${scaSessionId}`
}

/** The purpose that the sealed id of the signing user is bound to. */
export function scaUserPurpose(scaSessionId: string): string {
  return `signing user ${scaSessionId}`
}
