/** Simulates users of the sandbox bank in tests of connectors: in a browser, in an app, and at sign-in. */
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConformanceHarness } from '../conformance/conformance-harness.ts'
import type { BankCaller, Connector } from '../connector/connector.ts'
import { SAMPLE_RETURN_URLS } from './samples.ts'
import type { Control } from './sandbox-control.ts'
import { sandboxBank } from './sandbox-samples.ts'

const Travelled = Type.Object({ redirect: Type.String() })

/** Opens an address of the bank in a browser and makes the decision; returns the callback parameters. */
export function sandboxBrowser(control: Control): ConformanceHarness['browse'] {
  return async (address, decision, userId) => {
    const body = { address, decision, ...(userId === undefined ? {} : { userId }) }
    const { redirect } = Value.Parse(Travelled, await control('POST', '/browser', body))
    return Object.fromEntries(new URL(redirect).searchParams)
  }
}

/** Makes the user's decision in the browser or the app, depending on the authorisation. */
export function sandboxUser(control: Control): ConformanceHarness['decide'] {
  const browse = sandboxBrowser(control)
  return async ({ authorisationId, approach }, decision) => {
    if (approach.type === 'redirect') {
      return await browse(approach.url, decision)
    }
    await control('POST', `/authorisations/${authorisationId}/${decision}`, {})
    return {}
  }
}

/** The caller with tokens from the bank, which some banks require for every call. */
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
  const { url, returnSecret } = await oauth.begin(bank, SAMPLE_RETURN_URLS)
  const query = await sandboxBrowser(control)(url, 'sign', caller.userId ?? undefined)
  const tokens = await oauth.exchange(bank, { query, returnSecret, back: SAMPLE_RETURN_URLS })
  return { ...caller, accessToken: tokens === 'denied' ? null : (tokens?.accessToken ?? null) }
}
