/** Probes a bank with harmless calls and reports which profile settings the answers suggest. */

import type { Bank } from '../../../connector/bank.ts'
import type { ConnectorDependencies } from '../../../connector/connector-dependencies.ts'
import {
  type Finding,
  finding,
  isChange,
  type ProbeOptions,
  type ProbeReport,
} from '../../../connector/probe-report.ts'
import { deleteRemaining } from './delete-resource.ts'
import { oauthFinding, probeAccess } from './probe-access.ts'
import { probeConsents } from './probe-consents.ts'
import { probeAccounts, probeBulk } from './probe-order.ts'
import { probeOrderFields } from './probe-order-fields.ts'
import { probeProducts } from './probe-products.ts'
import { isOfSignature } from './probe-signature.ts'
import { isSameAnswer, openProber, type ProbeAnswer, type Prober } from './prober.ts'

const DEMANDED: ReadonlySet<string> = new Set(['dialect.onEveryCall', 'oauth'])

/** What a probe has found so far. */
type Progress = { prober: Prober; readonly findings: Finding[]; readonly notes: string[] }

/**
 * No call can move money or make a user sign: orders are from accounts that cannot exist, and what the bank creates
 * nevertheless is deleted. Reports what was found until a call without an answer, or an interruption, ended it.
 */
export async function probeBerlinGroup(
  tools: ConnectorDependencies,
  bank: Bank,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const progress: Progress = { prober: openProber(tools, bank, options), findings: [], notes: [] }
  const endedBy = await probeAll(progress).then(
    () => null,
    (error: unknown) => error,
  )
  const { prober, findings, notes } = progress
  await deleteRemaining(prober)
  const isAlike = isAnsweredAlike(prober)
  return {
    findings: isAlike ? findings.map(asUnclear) : findings,
    notes: [...notes, ...(isAlike ? [alikeNote(prober)] : []), ...creationNotes(prober)],
    calls: prober.calls,
    remaining: prober.created.remaining(),
    endedBy,
  }
}

async function probeAll(progress: Progress): Promise<void> {
  const { findings, notes } = progress
  const access = await probeAccess(progress.prober)
  const { prober } = access
  progress.prober = prober
  findings.push(...access.findings)
  notes.push(...access.notes)
  if (access.isClosed) {
    findings.push(oauthFinding(prober))
    return
  }
  findings.push(...(await probeConsents(prober)))
  const products = await probeProducts(prober)
  findings.push(...products.findings)
  if (products.account === null) {
    notes.push('No payment product was found: the format of orders cannot be probed.')
  } else {
    await probeOrders(progress, products.account, products.hasBulks)
  }
  findings.push(...authorisationFindings(prober), oauthFinding(prober))
}

async function probeOrders({ prober, findings }: Progress, product: string, hasBulks: boolean): Promise<void> {
  const { trials, findings: ofAccounts } = await probeAccounts(prober, `/payments/${product}`)
  findings.push(...ofAccounts, ...(await probeOrderFields(prober, trials)))
  if (hasBulks) {
    findings.push(...(await probeBulk(prober, product, trials.order)))
  }
}

/**
 * Answers that depend on the method alone are of no bank, or of a proxy before it, which may reject the signatures that
 * are tried. They show nothing but a 401.
 */
function isAnsweredAlike(prober: Prober): boolean {
  const kinds = answersByMethod(prober)
  const isAlike = kinds.every(([first, ...others]) => others.every((answer) => isSameAnswer(answer, first)))
  return isAlike && kinds.some(([{ status }]) => status !== 401)
}

function answersByMethod({ answers }: Prober): readonly (readonly [ProbeAnswer, ...ProbeAnswer[]])[] {
  return (['GET', 'POST', 'DELETE'] as const).flatMap((name) => {
    const [first, ...others] = answers.filter((answer) => answer.method === name && !isOfSignature(answer))
    return first === undefined ? [] : [[first, ...others] as const]
  })
}

/** What such an answer demands is known nevertheless. */
function asUnclear(found: Finding): Finding {
  return isChange(found) && DEMANDED.has(found.setting) ? found : { ...found, suggested: null }
}

function alikeNote(prober: Prober): string {
  const shown = answersByMethod(prober).map(([{ method, status }]) => `${method} with ${status}`)
  return `All requests were answered alike (${shown.join(', ')}): nothing at ${prober.bank.address} answers as a bank of this standard. Check the URL (havn bank list).`
}

function creationNotes({ created }: Prober): readonly string[] {
  const ended = created.ended()
  return ended === 0 ? [] : [`The bank created ${ended} consents and orders that were deleted or had ended at once.`]
}

/** The standard does not name the parameter. */
const USUAL_CONFIRMATION_PARAMETER = 'confirmationCode'

function authorisationFindings(prober: Prober): readonly Finding[] {
  const links = prober.created.links()
  return [startFinding(prober, links), confirmationFinding(prober, links)]
}

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
