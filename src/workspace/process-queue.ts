/** One queue for the whole process: repository objects that share a git folder must wait for each other too. */
import { SerialQueue } from '../kernel/serial-queue.ts'

export const processQueue = new SerialQueue()
