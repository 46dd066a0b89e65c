/** Checks what production requires beyond what the sandbox does: secure URLs, and no settings that are for the sandbox. */

/** The settings that are checked. */
type Settings = Readonly<Record<'baseUrl' | 'authUrl' | 'onboardingUrl', string>> & {
  readonly webhookAllowedNetworks: readonly string[]
  readonly webhookHttpAllowed: boolean
  readonly webhookCaFile: string | null
}

/** What is wrong with the settings in production. */
export function productionErrors(settings: Settings): readonly string[] {
  return [...sandboxOnlySettings(settings), ...insecureUrls(settings)]
}

/** Rejected instead of ignored, because an operator who sets these in production expects them to work. */
function sandboxOnlySettings({ webhookAllowedNetworks, webhookHttpAllowed, webhookCaFile }: Settings) {
  const given = {
    HAVN_WEBHOOK_ALLOWED_NETWORKS: webhookAllowedNetworks.length > 0,
    HAVN_WEBHOOK_HTTP: webhookHttpAllowed,
    HAVN_WEBHOOK_CA_FILE: webhookCaFile !== null,
  }
  return Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [`${name} is for sandbox mode only`] : []))
}

function insecureUrls({ baseUrl, authUrl, onboardingUrl }: Settings): readonly string[] {
  const urls = { HAVN_BASE_URL: baseUrl, HAVN_AUTH_URL: authUrl, HAVN_ONBOARDING_URL: onboardingUrl }
  const insecure = Object.entries(urls).filter(([, url]) => !url.startsWith('https://'))
  return insecure.map(([name]) => `${name} must start with https:// in production`)
}
