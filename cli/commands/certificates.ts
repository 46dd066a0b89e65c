/** Declares `havn certificates`: what banks know us by. */
import type { Command } from 'commander'

/** Adds the commands to their group. */
export function addCertificateCommands(group: Command): void {
  const certificates = () => import('../operator/certificates.ts')
  group
    .command('create')
    .description(
      'make an authority, a QWAC, a QSEAL and a server certificate for a sandbox; no real bank believes them',
    )
    .requiredOption('--sandbox', 'say that it is for a sandbox: real ones come from a qualified trust service provider')
    .option('--folder <path>', 'a folder that does not exist yet', 'certificates')
    .action(async ({ folder }: { folder: string }) => (await certificates()).createCertificates(folder))
  group
    .command('show')
    .description('print what the settings name: whom it is for, its roles, when it expires')
    .action(async () => (await certificates()).printCertificates(process.env))
}
