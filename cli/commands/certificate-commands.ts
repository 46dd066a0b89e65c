/** Declares the commands of `havn certificates`, for the QWAC and QSEAL that identify us to banks. */
import type { Command } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption } from './run-operator-command.ts'

export function addCertificateCommands(group: Command): void {
  const certificates = () => import('../operator/certificates.ts')
  group
    .command('create')
    .description('create a CA, a QWAC, a QSEAL and a server certificate for a sandbox; real banks do not accept them')
    .requiredOption(
      '--sandbox',
      'confirm that they are for a sandbox: a qualified trust service provider ' + 'issues real ones',
    )
    .option('--folder <path>', 'a folder that does not exist yet', 'certificates')
    .action(async ({ folder }: { folder: string }) => (await certificates()).createCertificates(folder))
  group
    .command('issue-server')
    .description('issue the server certificate of a test bank, by the CA of a sandbox')
    .requiredOption('--host <host...>', 'host names and IPv4 addresses of the server')
    .requiredOption('--name <name>', 'the name of the files: <name>.pem and <name>.key')
    .option('--folder <path>', 'the folder of `certificates create`; by default that of `npm start`')
    .action(async ({ folder, ...server }: { folder?: string; name: string; host: string[] }) =>
      (await certificates()).issueServer(folder, server, process.env),
    )
  group
    .command('show')
    .description('print the configured certificates: subject, roles and expiry')
    .addOption(jsonOption())
    .action(async (options: TableOptions) => (await certificates()).printCertificates(process.env, options))
}
