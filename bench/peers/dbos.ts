/** DBOS as it comes, on one queue that it polls every 25 ms: a worker, and a client that enqueues. */
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import type { ChainInput, OpenTeamFront, OpenTeamWorker } from '../team-chain.ts'

const [queueName, workflowName, appVersion] = ['work', 'chain', '1']

export const openDbosWorker: OpenTeamWorker = async (url, capacity, step) => {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    logLevel: 'error',
    executorID: `worker-${process.pid}`,
    applicationVersion: appVersion,
  })
  const chain = async ({ steps, stepMs }: ChainInput) => {
    let began = 0
    for (let index = 0; index < steps; index++) {
      const value = await DBOS.runStep(() => step(index, stepMs), { name: 'step' })
      if (index === 0) began = value.began
    }
    return began
  }
  DBOS.registerWorkflow(chain, { name: workflowName })
  await DBOS.launch()
  await DBOS.registerQueue(queueName, { workerConcurrency: capacity, minPollingIntervalMs: 25 })
}

export const openDbosFront: OpenTeamFront = async (url) => {
  const client = await DBOSClient.create({ systemDatabaseUrl: url })
  return {
    async enqueue(workflowID, input) {
      await client.enqueue({ workflowName, queueName, workflowID, appVersion }, input)
    },
    began: (id) => client.retrieveWorkflow<number>(id).getResult() as Promise<number>,
    done: `SELECT count(*)::int AS count FROM dbos.workflow_status WHERE status = 'SUCCESS'`,
    close: () => client.destroy(),
  }
}
