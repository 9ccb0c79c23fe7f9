
export default uPlot;
