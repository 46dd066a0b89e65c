/** Reads the settings of deliveries; all but public https endpoints is for the sandbox. */
import type { environmentReader } from './environment-reader.ts'

export type WebhookSettings = {
  /** Networks that deliveries may reach although they are not public; none in production. */
  readonly webhookAllowedNetworks: readonly string[]
  /** Whether deliveries may use http URLs; never in production. */
  readonly webhookHttpAllowed: boolean
  /** CA certificates (PEM) trusted for deliveries in addition to the system's; null for none, as in production. */
  readonly webhookCaFile: string | null
  /** URL of the sandbox's webhook inbox, on whose port the gateway listens; null without one. */
  readonly sandboxInboxUrl: string | null
}

/** The names of the settings. */
type Variables = Readonly<Record<'allowedNetworks' | 'http' | 'caFile' | 'inboxUrl', string>>

export function readWebhookSettings(
  read: ReturnType<typeof environmentReader>,
  variables: Variables,
  mode: 'sandbox' | 'production',
): WebhookSettings {
  return {
    webhookAllowedNetworks: read.networks(variables.allowedNetworks),
    webhookHttpAllowed: read.oneOf(variables.http, ['0', '1'], '0') === '1',
    webhookCaFile: read.text(variables.caFile, '') || null,
    sandboxInboxUrl: mode === 'sandbox' ? read.optionalUrl(variables.inboxUrl) : null,
  }
}
