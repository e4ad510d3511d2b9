import { sentEarlyMark, shownNoticeId, startedMark } from '@/src/ui/browser/started-marks';

/** In the page as it is, where nothing of the library is there to do it. Lies over the page, which stays. */
const watch = `(()=>{
const root=document.documentElement;
let isTold=false;
addEventListener('error',({target})=>{
if(!(target instanceof HTMLScriptElement)||root.hasAttribute('${startedMark}')||isTold)return;
isTold=true;
const note=document.createElement('div');
note.id='${shownNoticeId}';
note.setAttribute('role','alert');
note.textContent='This page could not be loaded as a whole, so its buttons do nothing. Check your connection, and that nothing blocks its scripts. ';
const again=document.createElement('button');
again.textContent='Load it again';
again.onclick=()=>location.reload();
note.append(again);
const show=()=>{if(!root.hasAttribute('${startedMark}'))document.body.append(note)};
if(document.readyState==='loading')addEventListener('DOMContentLoaded',show);else show();
},true);
addEventListener('submit',({target,defaultPrevented})=>{
if(!defaultPrevented)target.setAttribute('${sentEarlyMark}','');
})})()`;

/**
 * Says so where one of the scripts that a page begins with does not load: it would be dead without a
 * word; `Started` ends that. Marks a form that is sent while nothing of the page takes it, as before its
 * scripts run: the frame of a page may listen long before what is in it. Goes before them all, with the
 * nonce of the page.
 */
export function FirstScripts({ nonce }: { nonce: string | undefined }) {
  return (
    <script
      nonce={nonce}
      // What the server writes there, a browser hides.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
      dangerouslySetInnerHTML={{ __html: watch }}
    />
  );
}
