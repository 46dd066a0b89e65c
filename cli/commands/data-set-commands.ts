/** Declares the commands of `havn data-set`: show and load the data sets of the sandbox on this machine. */
import { Argument, type Command } from 'commander'
import { DATA_SETS, type DataSetName } from '../../gateway/simulation/data-sets/data-set.ts'

export function addDataSetCommands(group: Command): void {
  const dataSets = () => import('../operator/data-sets.ts')
  group
    .command('show')
    .description('print what is stored, and the data set that was loaded last')
    .action(async () => (await dataSets()).printDataSet(process.env))
  group
    .command('load')
    .description('delete everything in the sandbox, at its banks, too, and load a data set')
    .addArgument(new Argument('<name>', 'the data set').choices(DATA_SETS))
    .option('--yes', 'delete; without it, what would be deleted is printed', false)
    .action(async (name: DataSetName, { yes }: { yes: boolean }) =>
      (await dataSets()).loadByCommand(process.env, name, { isConfirmed: yes }),
    )
}
