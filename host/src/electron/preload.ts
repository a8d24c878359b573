import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from '../common/desktop.ts';
import { chooseFileChannel } from './channels.ts';

const desktop: DesktopBridge = {
  chooseFile: (request) => ipcRenderer.invoke(chooseFileChannel, request) as Promise<string | undefined>,
};

contextBridge.exposeInMainWorld('desktop', desktop);
