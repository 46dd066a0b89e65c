/** Lists the settings of the sandbox: its programs, the demo partner, and deliveries to other than public https endpoints. */
import { networks, onOrOff, optional, optionalUrl, type Setting, type Variable } from '../platform/setting.ts'

export const sandboxIdentityUrl = sandboxUrl(
  'HAVN_SANDBOX_IDENTITY_URL',
  'the sandbox identity provider, used if `HAVN_IDENTITY_PROVIDERS` is empty',
)

export const SANDBOX_SETTINGS = {
  /** Its control API is notified of changes of the clock, as is that of the FX provider. */
  sandboxBankUrl: sandboxUrl('HAVN_SANDBOX_BANK_URL', "the sandbox bank's pages and control API"),
  sandboxXs2aUrl: sandboxUrl(
    'HAVN_SANDBOX_XS2A_URL',
    'the XS2A API of the first sandbox bank; those of the others are at the ports that follow',
  ),
  sandboxFxUrl: sandboxUrl('HAVN_SANDBOX_FX_URL', 'the control API of the sandbox FX provider'),
  sandboxInboxUrl: sandboxUrl(
    'HAVN_SANDBOX_INBOX_URL',
    'the webhook inbox; the gateway listens on its port, and deliveries to it are allowed wherever it is',
  ),
  sandboxIdentityUrl,
  sandboxIdentityControlUrl: sandboxUrl('HAVN_SANDBOX_IDENTITY_CONTROL_URL', 'its control API'),
  demo: ignoredInProduction(
    onOrOff('HAVN_DEMO', '0', '`1` creates the demo partner; `npm start` sets it with its embedded database'),
    false,
  ),
  webhookAllowedNetworks: rejectedInProduction(
    networks(
      'HAVN_WEBHOOK_ALLOWED_NETWORKS',
      'networks that webhooks may be delivered to although they are not public, e.g. `10.0.0.0/8,fd00::/8`',
    ),
    (given) => given.length > 0,
  ),
  webhookHttpAllowed: rejectedInProduction(
    onOrOff('HAVN_WEBHOOK_HTTP', '0', '`1` allows deliveries to http URLs on this machine (`localhost`, `127.0.0.1`)'),
    (isAllowed) => isAllowed,
  ),
  webhookCaFile: rejectedInProduction(
    optional(
      'HAVN_WEBHOOK_CA_FILE',
      'PEM file of certificate authorities that are trusted for webhook endpoints, in addition to the public ones',
      'public',
    ),
    (file) => file !== null,
  ),
}

function sandboxUrl(name: string, meaning: string): Setting<string | null> {
  return ignoredInProduction(optionalUrl(name, meaning), null)
}

function ignoredInProduction<Value>({ variables, read }: Setting<Value>, otherwise: Value): Setting<Value> {
  return {
    variables: variables.map(ofSandbox),
    read: (source) => (source.mode === 'sandbox' ? read(source) : otherwise),
  }
}

/** Rejected instead of ignored, because an operator who sets it in production expects it to work. */
function rejectedInProduction<Value>(
  { variables, read }: Setting<Value>,
  isSet: (value: Value) => boolean,
): Setting<Value> {
  return {
    variables: variables.map(ofSandbox),
    read: (source) => {
      const value = read(source)
      if (source.mode === 'production' && isSet(value)) {
        source.reject(`${variables[0]?.name} is for sandbox mode only`)
      }
      return value
    },
  }
}

function ofSandbox(variable: Variable): Variable {
  return { ...variable, meaning: `sandbox mode: ${variable.meaning}` }
}
