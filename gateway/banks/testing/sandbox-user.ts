/** Plays users of the sandbox bank in tests of connectors: in a browser, in an app, and signing in. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConformanceHarness } from '../conformance/conformance-harness.ts'
import type { BankCaller, Connector } from '../connector/connector.ts'
import { SAMPLE_RETURN } from './samples.ts'
import type { Control } from './sandbox-control.ts'
import { sandboxBank } from './sandbox-samples.ts'

const Travelled = Type.Object({ redirect: Type.String() })

/** A browser that arrives at an address of the bank, whose user decides there; answers what it brings back. */
export function sandboxBrowser(control: Control): ConformanceHarness['browse'] {
  return async (address, decision, userId) => {
    const body = { address, decision, ...(userId === undefined ? {} : { userId }) }
    const { redirect } = Value.Parse(Travelled, await control('POST', '/browser', body))
    return Object.fromEntries(new URL(redirect).searchParams)
  }
}

/** A user who decides where an authorisation is signed: in the browser, or in an app. */
export function sandboxUser(control: Control): ConformanceHarness['decide'] {
  const browse = sandboxBrowser(control)
  return async ({ authorisationId, way }, decision) => {
    if (way.type === 'redirect') {
      return await browse(way.url, decision)
    }
    await control('POST', `/authorisations/${authorisationId}/${decision}`, {})
    return {}
  }
}

/** The caller with the tokens that some banks want with every call; they are asked for at the bank itself. */
export async function signedIn(
  { oauth }: Connector,
  caller: BankCaller,
  control: Control,
  place: Parameters<typeof sandboxBank>[1],
): Promise<BankCaller> {
  if (oauth === undefined || caller.bank.profile.oauth !== 'pre-step') {
    return caller
  }
  const bank = sandboxBank(caller.bank.bic, place)
  const { url, returnSecret } = await oauth.begin(bank, SAMPLE_RETURN)
  const query = await sandboxBrowser(control)(url, 'sign', caller.userId ?? undefined)
  const tokens = await oauth.exchange(bank, { query, returnSecret, back: SAMPLE_RETURN })
  return { ...caller, accessToken: tokens === 'denied' ? null : (tokens?.accessToken ?? null) }
}
