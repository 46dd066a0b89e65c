/** What the links of created consents and orders show about authorisations, without starting one. */
import { type Finding, finding } from '../../../connector/probe-report.ts'
import type { Prober } from './prober.ts'

/** The standard does not name the parameter. */
const USUAL_CONFIRMATION_PARAMETER = 'confirmationCode'

export function authorisationFindings(prober: Prober): readonly Finding[] {
  const links = prober.created.links()
  return [startFinding(prober, links), confirmationFinding(prober, links)]
}

/** When authorisations start. */
function startFinding({ dialect }: Prober, links: ReadonlySet<string>): Finding {
  const { authorisations: profile } = dialect
  const isImplicit = links.has('scaRedirect') || links.has('scaOAuth')
  const isExplicit = [...links].some((name) => name.startsWith('startAuthorisation'))
  const suggested = isImplicit ? 'implicit' : isExplicit ? 'explicit' : undefined
  const because =
    links.size === 0 ? 'no answer has a link that starts an authorisation' : `links: ${[...links].join(', ')}`
  return finding('dialect.authorisations', { profile, suggested }, because)
}

/** The standard's link to the resource that takes the confirmation code: it comes together with the link to sign. */
function confirmationFinding({ dialect }: Prober, links: ReadonlySet<string>): Finding {
  const { confirmationParameter: profile } = dialect
  const finds = (suggested: string | null | undefined, because: string) =>
    finding('dialect.confirmationParameter', { profile, suggested }, because)
  if (links.has('confirmation')) {
    const because = "a confirmation link: signing needs a code; the bank's documentation names its parameter"
    return finds(profile ?? USUAL_CONFIRMATION_PARAMETER, because)
  }
  return links.has('scaRedirect') && profile === null
    ? finds(null, 'links to sign come without a confirmation link')
    : finds(undefined, 'no answer has a confirmation link')
}
