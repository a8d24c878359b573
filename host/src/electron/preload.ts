import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from '../common/desktop.ts';
import { chooseFileChannel, closeQuestionChannel, commandChannel, newWindowChannel } from './channels.ts';

const desktop: DesktopBridge = {
  chooseFile: (request) => ipcRenderer.invoke(chooseFileChannel, request) as Promise<string | undefined>,
  newWindow: (connectionId) => void ipcRenderer.invoke(newWindowChannel, connectionId),
  setCloseQuestion: (question) => void ipcRenderer.invoke(closeQuestionChannel, question),
  onCommand: (listener) => {
    const onMessage = (_event: unknown, id: string): void => listener(id);
    ipcRenderer.on(commandChannel, onMessage);
    return () => void ipcRenderer.off(commandChannel, onMessage);
  },
};

contextBridge.exposeInMainWorld('desktop', desktop);
