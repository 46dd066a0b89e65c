/** Lists the files that settings name, and which of them hold secrets. */
import type { Config } from '../../../gateway/config/config.ts'
import type { PemSource } from '../../../gateway/config/environment-reader.ts'

/** A file, and the setting that names it. */
export type SettingFile = { readonly setting: string; readonly path: string; readonly isSecret: boolean }

/** All files, existing or not. */
export function settingFiles(config: Config): readonly SettingFile[] {
  const { qwac, qseal, sftp, fx, consoleProvider } = config
  const file = (setting: string, path: string | null | undefined, isSecret: boolean) =>
    path === null || path === undefined || path === '' ? [] : [{ setting, path, isSecret }]
  const pem = (setting: string, source: PemSource | null | undefined, isSecret: boolean) =>
    file(setting, source != null && 'file' in source ? source.file : null, isSecret)
  return [
    ...file('HAVN_MASTER_KEY_FILE', config.masterKeyFile, true),
    ...pem('HAVN_QWAC_CERTIFICATE_FILE', qwac?.certificate, false),
    ...pem('HAVN_QWAC_KEY_FILE', qwac?.key, true),
    ...pem('HAVN_QSEAL_CERTIFICATE_FILE', qseal?.certificate, false),
    ...pem('HAVN_QSEAL_KEY_FILE', qseal?.key, true),
    ...file('HAVN_BANK_CA_FILE', config.bankCaFile, false),
    ...file('HAVN_WEBHOOK_CA_FILE', config.webhookCaFile, false),
    ...file('HAVN_SFTP_KEY_FILE', sftp?.keyFile, true),
    ...file('HAVN_SFTP_KNOWN_HOSTS_FILE', sftp?.knownHostsFile, false),
    ...pem('HAVN_FX_API_KEY_FILE', fx?.apiKey, true),
    ...pem('HAVN_FX_NOTIFICATION_KEY_FILE', fx?.notificationKey, true),
    ...file('HAVN_CONSOLE_OIDC_CLIENT_SECRET_FILE', consoleProvider?.clientSecretFile, true),
    ...file('HAVN_CONSOLE_OIDC_CLIENT_KEY_FILE', consoleProvider?.clientKeyFile, true),
    ...config.identityProviders.flatMap(({ clientSecretFile, clientKeyFile }) => [
      ...file('HAVN_IDENTITY_PROVIDERS', clientSecretFile, true),
      ...file('HAVN_IDENTITY_PROVIDERS', clientKeyFile, true),
    ]),
  ]
}
