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
    .command('issue-server')
    .description("issue the certificate of a test bank's server, by the authority of a sandbox")
    .requiredOption('--host <host...>', 'names and IPv4 addresses under which the server is reached')
    .requiredOption('--name <name>', 'what the files are called: <name>.pem and <name>.key')
    .option('--folder <path>', 'the folder of `certificates create`; by default that of `npm start`')
    .action(async ({ folder, ...server }: { folder?: string; name: string; host: string[] }) =>
      (await certificates()).issueServer(folder, server, process.env),
    )
  group
    .command('show')
    .description('print what the settings name: whom it is for, its roles, when it expires')
    .action(async () => (await certificates()).printCertificates(process.env))
}
