/** Shares one Havn among several parts of the bench, as its short form does. */
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'
import { type RunningHavn, startHavn } from './running-havn.ts'

/** Opens the Havn on which a part is measured, optionally with other settings. */
export type OpenHavn = (settings?: Readonly<Record<string, string>>) => Promise<RunningHavn>

/** One Havn for all parts, with the settings of the first; `close` stops it. */
export function shareHavn(folder: string): { readonly open: OpenHavn; close(): Promise<void> } {
  let shared: { readonly havn: RunningHavn; readonly settings: Readonly<Record<string, string>> } | undefined
  const open: OpenHavn = async (settings = {}) => {
    shared ??= { havn: await startHavn(folder, settings), settings }
    const { havn, settings: its } = shared
    const missing = Object.keys(settings).filter((name) => settings[name] !== its[name])
    if (missing.length > 0) {
      throw new Error(`The shared Havn was started without ${missing.join(', ')}: its part must come first`)
    }
    // A part may have requested another consent of the same user, which replaces the earlier one.
    const { consentId } = await acceptedConsent(havn)
    return { ...havn, consentId, close: async () => undefined }
  }
  return { open, close: async () => await shared?.havn.close() }
}
